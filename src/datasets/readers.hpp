// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pointtree/datasets/dataset.hpp"

/// The kinds of data sets that open_dataset() knows.
namespace pointtree::datasets {

/// ModelNet as PointNet's HDF5 release lays it out: `data` [N, n, 3], `label` [N, 1],
/// `shape_names.txt` and, per split, either `<split>_files.txt` or files named
/// `ply_data_<split>0.h5`, …
///
/// Where the folder has no files for `validation`, a fixed eighth of every class of `train` is set
/// aside for it, and `train` is the rest; `train_all` is both. Any other name is taken from the
/// files, for example `test`.
std::unique_ptr<Dataset> open_modelnet_hdf5(const std::filesystem::path& dir,
                                            const std::string& split);

/// ModelNet's meshes, `<class>/<train|test>/<name>.off`, sampled by area to 2,048 points; splits as
/// above.
std::unique_ptr<Dataset> open_modelnet_off(const std::filesystem::path& dir,
                                           const std::string& split);

/// The resampled text release with normals: `modelnet40_shape_names.txt`, `modelnet40_<split>.txt`
/// and
/// `<class>/<name>.txt` with rows `x,y,z,nx,ny,nz`; splits as above.
std::unique_ptr<Dataset> open_modelnet_text(const std::filesystem::path& dir,
                                            const std::string& split);

/// The sixteen categories of ShapeNetPart and their fifty parts.
DatasetInfo shapenet_part_info(const std::string& kind, const std::string& split);

/// ShapeNetPart in HDF5: `data` [N, n, 3], `label` [N, 1], `pid` or `seg` [N, n] with parts counted
/// from 0 to 49, and per split `<split>_hdf5_file_list.txt`, `<split>_files.txt` or files
/// `<split>0.h5`, … Splits: train, validation (`val` in the files) and test.
std::unique_ptr<Dataset> open_shapenet_part_hdf5(const std::filesystem::path& dir,
                                                 const std::string& split);

/// Whether the training files of a folder of HDF5 have labels of parts.
bool holds_parts(const std::filesystem::path& dir);

/// The text release with normals: `synsetoffset2category.txt`,
/// `train_test_split/shuffled_<split>_file_list.json` and
/// `<synset>/<shape>.txt` with rows `x y z nx ny nz part`; splits as above.
std::unique_ptr<Dataset> open_shapenet_part_text(const std::filesystem::path& dir,
                                                 const std::string& split);

/// S3DIS as PointNet's HDF5 blocks: `all_files.txt`, `room_filelist.txt` (the room of every block)
/// and files with `data` [N, 4096, ≥ 6] (xyz in the block, rgb) and `label` [N, 4096].
///
/// Splits go by room: `test` is Area 5; `validation` is one in eight of the other rooms, chosen
/// once for all, and `train` the rest; `train_all` is both; `Area_1` … `Area_6` and `all` are also
/// known. Where all rooms are of Area 6, `train` is offices 25 to 37, hallways 3 and 4 and the copy
/// room, `validation` offices 1 and 4 to 7; `test_public` is the rest of Area 6 in either case.
std::unique_ptr<Dataset> open_s3dis_hdf5(const std::filesystem::path& dir,
                                         const std::string& split);

/// S3DIS as one file per room, `Area_<n>_<room>.npy` or `.txt`, with rows `x y z r g b label`;
/// splits as above. Rooms are read when the data set is opened and stay in memory. Points are in
/// metres, their channels `height` (above the floor), `red`, `green` and `blue` (0 to 1).
///
/// `train` and `train_all` are `size` random columns, each about a random point, of varying size,
/// turned, mirrored and a little scaled; half of the points are drawn from a random class, so that
/// rare ones are met. Other splits are the columns of an even grid, with 4,096 points each. The
/// place may carry parameters: `DIR,block=2,size=20000` are the edge of a column in metres (1 by
/// default) and the number of random columns.
std::unique_ptr<Dataset> open_s3dis_rooms(const std::filesystem::path& place,
                                          const std::string& split);

/// Lidar scans in SemanticKITTI's layout, `sequences/<name>/{velodyne,labels}`, in blocks of at
/// most 4,096 points with the channels of perception::scan_channels(), as the pipeline cuts them;
/// several folders are joined by '+'.
///
/// Splits as sequence_in_split() has them. `train` and `train_all` are made from whole scans that
/// are varied anew for every group of examples (see ScanAugmentation): their examples are in random
/// order already, and those near each other share the work. The other splits are every block of
/// every scan as it is.
std::unique_ptr<Dataset> open_semantickitti(const std::filesystem::path& dirs,
                                            const std::string& split);

/// What stands in streets: car, truck (and bus, trailer), two-wheeler (with or without rider),
/// person, trunk, vegetation, pole, traffic-sign, building, fence, bin, other.
const std::vector<std::string>& street_object_classes();

/// The class of points with this semantic number of SemanticKITTI; "other" for whatever has none.
std::int32_t street_object_class(std::uint32_t semantic);

/// The class of a simulated kind of object or surface; "other" for whatever has none.
std::int32_t street_object_class(const std::string& simulated_kind);

/// The clusters that the pipeline finds in labelled scans, each with the class of most of its
/// points, or "other" where no class has half of them. Channels: `height` above the ground.
///
/// `place` is a folder of SemanticKITTI's layout, `sequences/<name>/velodyne/*.bin` with `labels`,
/// or several, separated by colons.
/// Splits as sequence_in_split() has them. In `train` and `train_all` scans are also clustered with
/// other tolerances, with half of the beams and mirrored.
std::unique_ptr<Dataset> open_street_clusters(const std::filesystem::path& place,
                                              const std::string& split);

/// The same from simulated streets; `size` scans, see open_procedural_objects().
std::unique_ptr<Dataset> open_simulated_clusters(const std::filesystem::path& parameters,
                                                 const std::string& split);

/// Sydney Urban Objects: `objects/<class>.<instance>.<scan>.bin` with rows of 34 bytes, and
/// `folds/fold<k>.txt`, k from 0 to 3, which list the objects of the 14 classes of the published
/// protocol. Splits: `fold<k>`, `without_fold<k>`, `all`. In metres, with the
/// channel `height` above the object's lowest point.
std::unique_ptr<Dataset> open_sydney_urban_objects(const std::filesystem::path& dir,
                                                   const std::string& split);

/// Clusters of KITTI, likewise: `train_set_<n>.h5` and `val_set.h5` with `data` [N, n, 3] in metres
/// and `label`, and `shape_names.txt`. Splits: `train`, `validation`.
std::unique_ptr<Dataset> open_kitti_clusters(const std::filesystem::path& dir,
                                             const std::string& split);

/// A folder of labelled clouds, `<class>/<file>`, or `<split>/<class>/<file>` where such folders
/// exist; any format that read_cloud knows. Without folders of their own, `train` (70 %),
/// `validation` (10 %) and `test` (20 %) are cut class by class, and `all` is everything. Points
/// that are not finite are left out.
std::unique_ptr<Dataset> open_labelled_folder(const std::filesystem::path& dir,
                                              const std::string& split);

/// A folder of clouds whose points are labelled, for example PCD with a field `label`, and
/// `classes.txt` with the names of the labels 0, 1, …; files lie in `<split>/`, or in the folder
/// itself for the split `all`.
std::unique_ptr<Dataset> open_labelled_clouds(const std::filesystem::path& dir,
                                              const std::string& split);

/// Single objects in life size.
///
/// This and the next three need no download. Each is described by `key=value` pairs, separated by
/// commas; splits are different seeds, so that nothing of one split is seen in another.
///
/// | key | meaning | default |
/// |---|---|---|
/// | size | number of examples, or of scans for scanned_objects | 4000 objects, 4000 blocks, 100 |
/// | held_out | the same for all splits but `train` | size |
/// | seed | another seed, another data set | 0 |
/// | points | per example, where complete surfaces are sampled | 2048, 4096 |
/// | view | `full` surfaces, `scan` (what a lidar sees), or `mixed` | mixed |
/// | block | edge of a column of a room in metres | 1 |
/// | kinds | of objects: `modelnet40`, or `all` with those that stand in streets | modelnet40 |
std::unique_ptr<Dataset> open_procedural_objects(const std::filesystem::path& parameters,
                                                 const std::string& split);

/// Upright square columns, turned anyhow, cut out of furnished rooms; points are labelled with
/// S3DIS' classes and given in metres from the middle of the column, z from the floor, with S3DIS'
/// channels: `height`, and colours that are 0, since surfaces have none.
std::unique_ptr<Dataset> open_procedural_rooms(const std::filesystem::path& parameters,
                                               const std::string& split);

/// Single turns of a spinning lidar in streets, in the sensor's frame, with labelled points.
std::unique_ptr<Dataset> open_procedural_streets(const std::filesystem::path& parameters,
                                                 const std::string& split);

/// The objects and pieces of building fronts that one turn of a lidar shows in streets and rooms,
/// cut out of the scan by what they truly are; of the classes object_classes(). Made when opened,
/// about thirty per scan.
std::unique_ptr<Dataset> open_scanned_objects(const std::filesystem::path& parameters,
                                              const std::string& split);

/// The same split of several data sets, one after the other, or taking turns where all are in
/// random order. Kinds and places are joined by '+', for example "modelnet40+procedural_objects"
/// and "DIR+size=4000". Throws std::runtime_error where there are not as many places as kinds, or
/// where the classes differ; one data set may know more classes than another, after those that both
/// know.
std::unique_ptr<Dataset> open_mixed(const std::filesystem::path& places, const std::string& kinds,
                                    const std::string& split);

/// The same of data sets that are open already, with the channels that all of them have.
std::unique_ptr<Dataset> mix(const std::string& kind,
                             std::vector<std::unique_ptr<Dataset>> members);

}  // namespace pointtree::datasets
